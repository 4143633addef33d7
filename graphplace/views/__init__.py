"""Trees and candidates as people look at them."""
