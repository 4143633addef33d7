"""What a search would find if something were changed first, which is not."""
