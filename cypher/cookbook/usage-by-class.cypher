// title: Usage by resource class
// answers: How much of each resource class has the cloud, and how much of that is used?
// parameter: resource_class | text | - | VCPU | only this class
// columns: resource_class, providers, total, reserved, capacity, used, free, percent
MATCH (i:Inventory)
WHERE $resource_class IS NULL OR i.resource_class = $resource_class
WITH i.resource_class AS resource_class, count(i) AS providers, sum(i.total) AS total, sum(i.reserved) AS reserved,
     sum(i.capacity) AS capacity, sum(i.used) AS used
RETURN resource_class, providers, total, reserved, capacity, used, capacity - used AS free,
       CASE capacity WHEN 0 THEN null ELSE round(100.0 * used / capacity, 1) END AS percent
ORDER BY coalesce(percent, -1) DESC, resource_class
