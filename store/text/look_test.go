package text_test

import (
	"testing"

	"precedent/store/text"
)

func TestLookOf(t *testing.T) {
	for look, texts := range map[text.Look][]string{
		text.EmailLook:   {"ann@example.com", "Ann Lee <ann.lee+x@mail.example.co.uk>", "张三@例子.中国", "write to bo@x.io please"},
		text.PhoneLook:   {"+44 7700 900123", "025-83006901", "(5) 555-4729", "13800003629", "030-0074321", "+1 (425) 555-0100", "123-45-6789", "+49.30.901820"},
		text.KeyLook:     {"d41d8cd98f00b204e9800998ecf8427e", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "sk-proj-abcdefghijklmnop", "xoxb-12345-abcdefghijkl", "A7b9C2d4E6f8G1h3J5k7", "4111 1111 1111 1111", "11010519491231002X"},
		text.AddressLook: {"https://themoviedb.org/movie/862", "www.example.com", "bolt://host:7687"},
		text.MomentLook:  {"2024-05-01", "2024-05-01T10:00:00Z", "10:30", "2024年5月1日", "01/05/2024", "2024-05"},
		text.ProseLook: {"A cowboy doll is profoundly threatened and jealous when a new spaceman figure supplants him", "本产品采用优质材料，适合家庭日常使用，请放在干燥处保存，并远离火源和高温环境，谢谢合作",
			"first line\nsecond line", "很好。下次再来！"},
		text.NameLook: {"Anna Keller", "上海", "in transit", "O'Brien", "Dr. Strangelove or: How I Learned", "pending", "研发部", "Straße", "Владимир", "M&A", "高级教师", "Type O", "नई दिल्ली"},
		text.CodeLook: {"SO-1001", "P0", "v2.0", "622287528077", "A", "web-01", "10.0.0.12", "00:1A:2B:3C", "978-3-16-148410-0", "1990-2000", "10115", "3.5.7", "5G", "P4", "8601-8604", "2026"},
	} {
		for _, s := range texts {
			if got := text.LookOf(s); got != look {
				t.Errorf("%q looks like %v, want %v", s, got, look)
			}
		}
	}
}

func TestLooks(t *testing.T) {
	l := text.LooksOf([]any{"ann@example.com", "", " ", int64(3), "Ann", "Bo Marsh", "web-01"})
	if l.Seen() != 4 || l.Share(text.EmailLook) != .25 || l.Share(text.NameLook, text.CodeLook) != .75 || (text.Looks{}).Share(text.NameLook) != 0 {
		t.Errorf("%v", l)
	}
}

func FuzzLookOf(f *testing.F) {
	for _, s := range []string{"", "+", "(", "@", "a@b.c", "1-", "\xff\xfe", "年"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if l := text.LookOf(s); l < 0 || l > text.CodeLook || l.String() == "" {
			t.Errorf("%q looks like %d", s, l)
		}
	})
}
