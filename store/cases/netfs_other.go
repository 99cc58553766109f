//go:build !linux

package cases

// networkKind returns "": only Linux is asked.
func networkKind(string) string { return "" }
