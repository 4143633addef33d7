"""What ``graphplace demo`` loads: a made-up cloud, and the machine that it runs on."""
