// People remember a part of a provider's name.
CREATE TEXT INDEX resource_provider_name_parts IF NOT EXISTS FOR (p:ResourceProvider) ON (p.name);
