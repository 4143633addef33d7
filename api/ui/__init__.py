"""The web page: a shell without data that anybody may load, and the data of its views, for those who may read them."""
