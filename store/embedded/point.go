package embedded

import (
	"fmt"
	"math"
	"strings"

	"precedent/store"
)

// Coordinate reference systems, by the numbers of the EPSG registry and of
// spatialreference.org that Neo4j uses.
const (
	sridWGS84       = 4326
	sridWGS84_3D    = 4979
	sridCartesian   = 7203
	sridCartesian3D = 9157
)

var sridOf = map[string]int{"wgs-84": sridWGS84, "wgs-84-3d": sridWGS84_3D, "cartesian": sridCartesian, "cartesian-3d": sridCartesian3D}

func crsName(srid int) string {
	switch srid {
	case sridWGS84:
		return "wgs-84"
	case sridWGS84_3D:
		return "wgs-84-3d"
	case sridCartesian3D:
		return "cartesian-3d"
	}
	return "cartesian"
}

// pointOf makes a point as the function point(map) does; nil where a
// coordinate is null.
func pointOf(m map[string]any) (any, error) {
	coord := func(names ...string) (f float64, found, null bool, err error) {
		for _, n := range names {
			v, ok := m[n]
			if !ok {
				continue
			}
			switch v := v.(type) {
			case nil:
				return 0, true, true, nil
			case int64:
				return float64(v), true, false, nil
			case float64:
				return v, true, false, nil
			}
			return 0, false, false, fmt.Errorf("cannot assign %s to field %s of a point: it is not a number", show(v), n)
		}
		return 0, false, false, nil
	}
	x, hasX, nullX, err := coord("x", "longitude")
	if err != nil {
		return nil, err
	}
	y, hasY, nullY, err := coord("y", "latitude")
	if err != nil {
		return nil, err
	}
	z, hasZ, nullZ, err := coord("z", "height")
	if err != nil {
		return nil, err
	}
	_, lon := m["longitude"]
	_, lat := m["latitude"]
	switch {
	case nullX || nullY || nullZ:
		return nil, nil
	case !hasX || !hasY:
		return nil, fmt.Errorf("a point must contain x and y or longitude and latitude")
	}
	geographic := lon || lat
	srid := 0
	if name, ok := m["crs"].(string); ok {
		if srid = sridOf[strings.ToLower(name)]; srid == 0 {
			return nil, fmt.Errorf("unknown coordinate reference system: %s", name)
		}
	} else if n, ok := m["srid"].(int64); ok {
		srid = int(n)
		if crsName(srid) == "cartesian" && srid != sridCartesian {
			return nil, fmt.Errorf("unknown coordinate reference system code: %d", n)
		}
	}
	if srid == 0 {
		switch {
		case geographic && hasZ:
			srid = sridWGS84_3D
		case geographic:
			srid = sridWGS84
		case hasZ:
			srid = sridCartesian3D
		default:
			srid = sridCartesian
		}
	}
	is3D := srid == sridWGS84_3D || srid == sridCartesian3D
	isGeo := srid == sridWGS84 || srid == sridWGS84_3D
	if geographic && !isGeo {
		return nil, fmt.Errorf("geographic points does not support coordinate reference system: %s", crsName(srid))
	}
	if is3D != hasZ {
		return nil, fmt.Errorf("cannot create point with %s: wrong number of coordinates", crsName(srid))
	}
	if isGeo {
		if y < -90 || y > 90 {
			return nil, fmt.Errorf("cannot create WGS84 point with invalid coordinate: latitude %v is not in [-90, 90]", y)
		}
		if x < -180 || x > 180 {
			x = math.Mod(x+180, 360)
			if x < 0 {
				x += 360
			}
			x -= 180
		}
	}
	return store.Point{SRID: srid, X: x, Y: y, Z: z}, nil
}

// earthRadius in metres, as Neo4j's haversine takes it.
const earthRadius = 6378140.0

// distance is in metres for geographic points, else Euclidean; nil where the
// two are of different systems.
func distance(a, b store.Point) any {
	if a.SRID != b.SRID {
		return nil
	}
	dz := 0.0
	if a.ThreeD() {
		dz = a.Z - b.Z
	}
	if a.SRID == sridCartesian || a.SRID == sridCartesian3D {
		return math.Sqrt((a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y) + dz*dz)
	}
	rad := func(d float64) float64 { return d * math.Pi / 180 }
	sinLat, sinLon := math.Sin(rad(b.Y-a.Y)/2), math.Sin(rad(b.X-a.X)/2)
	h := sinLat*sinLat + sinLon*sinLon*math.Cos(rad(a.Y))*math.Cos(rad(b.Y))
	arc := 2 * math.Atan2(math.Sqrt(h), math.Sqrt(1-h))
	if !a.ThreeD() {
		return earthRadius * arc
	}
	mean := (a.Z + b.Z) / 2
	flat := (earthRadius + mean) * arc
	return math.Sqrt(flat*flat + dz*dz)
}

func pointField(p store.Point, key string) (any, error) {
	geo := p.SRID == sridWGS84 || p.SRID == sridWGS84_3D
	switch key {
	case "x":
		return p.X, nil
	case "y":
		return p.Y, nil
	case "z":
		if p.ThreeD() {
			return p.Z, nil
		}
	case "longitude":
		if geo {
			return p.X, nil
		}
	case "latitude":
		if geo {
			return p.Y, nil
		}
	case "height":
		if geo && p.ThreeD() {
			return p.Z, nil
		}
	case "crs":
		return crsName(p.SRID), nil
	case "srid":
		return int64(p.SRID), nil
	}
	return nil, queryError("field %s is not available on %s point", key, crsName(p.SRID))
}
