package embedded

// OpenWithin is Open of a folder that may take so many bytes.
var OpenWithin = open
