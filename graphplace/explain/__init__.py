"""Why a request has the candidates that it has, or none: who meets what, and how far off the others are."""
