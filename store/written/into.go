package written

import (
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"precedent/store/text"
)

// The fields of a struct say by their tags what a file may hold:
//
//	yaml    the key; ",inline" takes every key that no other field has
//	doc     what it is for, for editors
//	sample  how it is written, as YAML
//	is      what its texts are called, of a list or a map each item or key
//	form    the regular expression that these match
//	like    how they are written, for people
//	of      the texts that they are, divided by spaces
//	least   the least number
//	need    "true" where the key must be there
//
// [Doc.Into] and [Schema] both go by them.

// Into puts what the file holds into v, a pointer, whose type says what may stand
// there: structs by their tags or the names of their fields in lower case, maps of
// strings, slices, scalars, a time with its unit, anything, and from a scalar whatever
// is an [encoding.TextUnmarshaler]. What is a mistake is left out.
func (d *Doc) Into(v any) Mistakes {
	if d.Root == nil {
		return nil
	}
	in := &into{doc: d}
	root := reflect.ValueOf(v).Elem()
	top := field{name: topName}
	if root.Kind() == reflect.Struct && d.Root.Kind != yaml.MappingNode && len(fields(root.Type())) > 0 {
		first := fields(root.Type())[0]
		top.like = fmt.Sprintf("key: value, such as %s: %s", first.name, first.sample)
		if first.inline {
			top.like = strings.TrimSuffix(strings.TrimPrefix(first.sample, "{"), "}")
		}
	}
	in.value(d.Root, root, top)
	return in.wrong
}

// topName is what the whole of a file is called.
const topName = "the file"

// into decodes a file.
type into struct {
	doc   *Doc
	wrong Mistakes
}

// A field is what the tags say of a value and of its parts.
type field struct {
	name, sample   string
	is, form, like string
	of             []string
	least          string
	need           bool
	doc            string
	index          int
	inline         bool
}

// A Tagged type says of all its values what tags of a field would.
type Tagged interface{ Tags() reflect.StructTag }

// fields are those of a struct.
func fields(t reflect.Type) []field {
	if known, ok := fieldsOf.Load(t); ok {
		return known.([]field)
	}
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		tags := f.Tag
		if of, ok := reflect.Zero(f.Type).Interface().(Tagged); ok {
			tags += " " + of.Tags()
		}
		name, rest, _ := strings.Cut(tags.Get("yaml"), ",")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		all = append(all, field{
			name: name, sample: tags.Get("sample"), is: tags.Get("is"), form: tags.Get("form"), like: tags.Get("like"),
			of: strings.Fields(tags.Get("of")), least: tags.Get("least"), need: tags.Get("need") == "true", doc: tags.Get("doc"),
			index: i, inline: rest == "inline",
		})
	}
	fieldsOf.Store(t, all)
	return all
}

var fieldsOf, forms sync.Map // by type; by expression

func matches(form, s string) bool {
	re, ok := forms.Load(form)
	if !ok {
		re, _ = forms.LoadOrStore(form, regexp.MustCompile(form))
	}
	return re.(*regexp.Regexp).MatchString(s)
}

// Fits reports whether a text may stand under a key of a struct, or be an item or a key
// of what stands there, as far as its form goes.
func Fits(v any, key, s string) bool {
	return !slices.ContainsFunc(fields(reflect.TypeOf(v)), func(f field) bool { return f.name == key && f.form != "" && !matches(f.form, s) })
}

func (in *into) add(m Mistake) {
	if !in.wrong.Full() {
		in.wrong = append(in.wrong, m)
	}
}

// misfit adds that a node isn't of a type.
func (in *into) misfit(n *yaml.Node, t reflect.Type, f field) {
	want := inYAML(t)
	cure := "write " + f.name + ": " + f.sample
	if f.name == topName {
		cure = "write " + f.like
	}
	switch {
	case n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "：") && want != "a text":
		cure = "the colon ： is full-width; write : and a space"
	case n.Kind == yaml.ScalarNode && want == "a mapping" && strings.Contains(n.Value, ":"):
		cure = "write a space behind the colon"
	case f.sample != "" || f.name == topName && f.like != "":
	case want == "a text" && n.Kind == yaml.MappingNode:
		cure = "quote it, or leave the colon out"
	case want == "a text" && n.Kind == yaml.SequenceNode:
		cure = "leave the brackets out"
	case want == "a list" && n.Kind == yaml.ScalarNode:
		cure = fmt.Sprintf("write [%s]", n.Value)
	case want == "a list":
		cure = "write [one, another]"
	case want == "a mapping":
		cure = "write key: value"
	case want == "a whole number":
		cure = "write one such as 100"
	case want == "a time with its unit":
		cure = "write one such as 30s or 2m"
	default:
		cure = "write " + want
	}
	in.add(in.doc.place(n).At(Wrong, cure, "want %s here, not %s", want, kind(n)))
}

// value puts a node into to.
func (in *into) value(n *yaml.Node, to reflect.Value, f field) {
	if empty(n) || n.Kind == yaml.AliasNode || in.wrong.Full() {
		to.SetZero()
		return
	}
	if short, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok && n.Kind == yaml.ScalarNode {
		if err := short.UnmarshalText([]byte(n.Value)); err != nil {
			what, cure, _ := strings.Cut(err.Error(), "; ")
			in.add(in.doc.place(n).At(Wrong, cure, "%s", what))
		}
		return
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		in.value(n, to.Elem(), f)
	case reflect.Interface:
		if v, ok := in.anything(n, f); ok {
			to.Set(reflect.ValueOf(v))
		}
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			in.misfit(n, to.Type(), f)
			return
		}
		to.Set(reflect.MakeSlice(to.Type(), len(n.Content), len(n.Content)))
		item := f
		item.sample = ""
		for i, node := range n.Content {
			in.value(node, to.Index(i), item)
		}
	case reflect.Map:
		in.entries(n, to, f)
	case reflect.Struct:
		in.keys(n, to, f)
	default:
		if n.Kind != yaml.ScalarNode || !scalar(n, to) {
			in.misfit(n, to.Type(), f)
			return
		}
		in.fits(n, f)
	}
}

// entries puts a mapping into a map.
func (in *into) entries(n *yaml.Node, to reflect.Value, f field) {
	if n.Kind != yaml.MappingNode {
		in.misfit(n, to.Type(), f)
		return
	}
	to.Set(reflect.MakeMapWithSize(to.Type(), len(n.Content)/2))
	for pair := range slices.Chunk(n.Content, 2) {
		in.entry(pair[0], pair[1], to, f)
	}
}

func (in *into) entry(key, value *yaml.Node, to reflect.Value, f field) {
	if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || in.wrong.Full() {
		return
	}
	in.fits(key, f)
	part := reflect.New(to.Type().Elem()).Elem()
	in.value(value, part, field{name: key.Value})
	to.SetMapIndex(reflect.ValueOf(key.Value).Convert(to.Type().Key()), part)
}

// keys puts a mapping into a struct.
func (in *into) keys(n *yaml.Node, to reflect.Value, f field) {
	if n.Kind != yaml.MappingNode {
		in.misfit(n, to.Type(), f)
		return
	}
	all := fields(to.Type())
	rest := slices.IndexFunc(all, func(f field) bool { return f.inline })
	if rest >= 0 {
		into := to.Field(all[rest].index)
		into.Set(reflect.MakeMap(into.Type()))
	}
	there := make(map[string]bool)
	for pair := range slices.Chunk(n.Content, 2) {
		key, value := pair[0], pair[1]
		if in.wrong.Full() {
			return
		}
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			continue
		}
		there[key.Value] = !empty(value)
		i := slices.IndexFunc(all, func(f field) bool { return f.name == key.Value && !f.inline })
		switch {
		case i >= 0:
			in.value(value, to.Field(all[i].index), all[i])
		case rest >= 0:
			in.entry(key, value, to.Field(all[rest].index), all[rest])
		default:
			in.unknown(key, to.Type())
		}
	}
	for _, need := range all {
		if need.need && !there[need.name] {
			in.add(in.doc.place(n).At(Wrong, fmt.Sprintf("write %s: %s", need.name, need.sample), "%s lacks %s", f.name, need.name))
		}
	}
}

// unknown adds that a struct has no such key.
func (in *into) unknown(key *yaml.Node, t reflect.Type) {
	var names []string
	var within string
	for _, f := range fields(t) {
		names = append(names, f.name)
		if part := t.Field(f.index).Type; part.Kind() == reflect.Struct && slices.ContainsFunc(fields(part), func(f field) bool { return f.name == key.Value }) {
			within = f.name
		}
	}
	slices.Sort(names)
	cure := "there are " + strings.Join(names, ", ")
	if within != "" {
		cure = "write it under " + within
	} else if near := text.Nearest(key.Value, names); near != "" {
		cure = "did you mean " + near + "?"
	}
	m := in.doc.place(key).At(Wrong, cure, "there is no key %q here", key.Value)
	m.Unknown = key.Value
	in.add(m)
}

// fits adds that a scalar isn't what the tags say.
func (in *into) fits(n *yaml.Node, f field) {
	at := in.doc.place(n)
	if len(f.of) > 0 && !slices.Contains(f.of, n.Value) {
		cure := "use " + strings.Join(f.of[:len(f.of)-1], ", ") + " or " + f.of[len(f.of)-1]
		if near := text.Nearest(n.Value, f.of); near != "" {
			cure = "did you mean " + near + "?"
		}
		in.add(at.At(Wrong, cure, "%s can't be %q", f.name, n.Value))
	}
	if f.form != "" && !matches(f.form, n.Value) {
		in.add(at.At(Wrong, "write "+f.like, "%q is no %s", n.Value, f.is))
	}
	if f.least != "" {
		least, _ := strconv.ParseFloat(f.least, 64)
		if is, err := strconv.ParseFloat(n.Value, 64); err == nil && is < least || strings.HasPrefix(n.Value, "-") {
			in.add(at.At(Wrong, "leave it out for the default", "%s is %s, and %s is the least", f.name, n.Value, f.least))
		}
	}
}

// scalar puts a scalar into to, and reports whether it fits.
func scalar(n *yaml.Node, to reflect.Value) bool {
	switch {
	case to.Kind() == reflect.String:
		to.SetString(n.Value)
		return n.ShortTag() != "!!binary"
	case to.Type() == reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(n.Value)
		to.SetInt(int64(d))
		return err == nil
	}
	into := reflect.New(to.Type())
	if err := n.Load(into.Interface()); err != nil {
		return false
	}
	to.Set(into.Elem())
	return true
}

// anything is what a node holds where nothing says what it should: a text,
// int64, uint64, float64, bool, or a list of those. A date is a text.
func (in *into) anything(n *yaml.Node, f field) (any, bool) {
	switch n.Kind {
	case yaml.SequenceNode:
		var list []any
		before := len(in.wrong)
		in.value(n, reflect.ValueOf(&list).Elem(), f)
		return list, len(in.wrong) == before
	case yaml.MappingNode:
		in.add(in.doc.place(n).At(Wrong, "write one of these", "want a text, a number or a list here, not a mapping"))
		return nil, false
	}
	var v any
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool":
		if err := n.Load(&v); err != nil {
			in.add(in.doc.place(n).At(Wrong, "quote it, or write a smaller number", "%q is no value", n.Value))
			return nil, false
		}
	default:
		v = n.Value
	}
	if i, ok := v.(int); ok {
		v = int64(i)
	}
	return v, true
}

func inYAML(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[time.Duration]() {
		return "a time with its unit"
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
		return "a whole number"
	}
	switch is := wanted(t); is {
	case "a string":
		return "a text"
	case "an array":
		return "a list"
	case "an object":
		return "a mapping"
	default:
		return is
	}
}
