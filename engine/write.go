package engine

import "context"

// write has the model draft a query.
func (a *asking) write(ctx context.Context) (settled bool) { return false }
