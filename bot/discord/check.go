package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"precedent/bot"
)

// needs are the permissions that the bot has use for, as bits of Discord's
// "Permissions".
var needs = []struct {
	bit  int64
	name string
}{
	{1 << 10, "View Channels"},
	{1 << 11, "Send Messages"},
	{1 << 14, "Embed Links"},
	{1 << 15, "Attach Files"},
	{1 << 16, "Read Message History"},
	{1 << 38, "Send Messages in Threads"},
}

const (
	administrator = 1 << 3

	// Flags of an application, by "Application Flags".
	mayReadContent      = 1 << 18
	mayReadContentSmall = 1 << 19 // in fewer than 100 servers

	opHello    = 10
	fewLogins  = 50  // of the 1,000 a day that a bot has
	mostGuilds = 200 // that one request lists
)

// Invite is the link that brings the bot of an application to a server, with the
// permissions that it has use for.
func Invite(application string) string {
	var bits int64
	for _, n := range needs {
		bits |= n.bit
	}
	return fmt.Sprintf("https://discord.com/oauth2/authorize?client_id=%s&scope=bot+applications.commands&permissions=%d", application, bits)
}

// profile is what an application is, as far as it can keep the bot from working.
type profile struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Flags     int    `json:"flags"`
	Endpoint  string `json:"interactions_endpoint_url"`
	CodeGrant bool   `json:"bot_require_code_grant"`
}

const portal = "https://discord.com/developers/applications"

// Check tries the token against Discord and says what to fix. It reaches the
// gateway without logging in, so a bot at work notices nothing.
func (d *Discord) Check(ctx context.Context) []bot.Finding {
	d.start()
	const part = "Discord token"
	if why := misplaced(d.Token); why != "" {
		return []bot.Finding{{Part: part, State: bot.Wrong, What: why, Cure: whereToken}}
	}
	if err := d.rest.addressed(); err != nil {
		return []bot.Finding{{Part: part, State: bot.Wrong, What: err.Error(), Cure: "leave DISCORD_API_URL out, unless a proxy stands in for Discord"}}
	}
	var app profile
	if err := d.rest.do(ctx, request{method: "GET", path: "/applications/@me", bucket: "applications/@me"}, &app); err != nil {
		return []bot.Finding{d.failing(part, err)}
	}
	found := []bot.Finding{{Part: part, State: bot.Fine, What: "of the application " + app.Name}}
	if app.Endpoint != "" {
		found = append(found, bot.Finding{Part: "Discord commands", State: bot.Wrong, What: "they go to an address of yours, and not to the bot",
			Cure: "on the application's page at " + portal + ", General Information, empty Interactions Endpoint URL"})
	} else {
		found = append(found, d.checkCommands(ctx, app))
	}
	return append(found, d.checkIntents(app), d.checkGateway(ctx), d.checkGuilds(ctx, app))
}

const whereToken = "set DISCORD_TOKEN to the bot's: on the application's page at " + portal + ", Bot, Reset Token, Copy"

// misplaced says what a text is that can't be a bot's token; "" if it may be one.
func misplaced(token string) string {
	const digits, hex = "0123456789", "0123456789abcdef"
	switch {
	case token == "":
		return "there is none"
	case strings.HasPrefix(token, "Bot "):
		return `DISCORD_TOKEN begins with "Bot ", which isn't part of it`
	case strings.Trim(token, digits) == "":
		return "DISCORD_TOKEN holds an id"
	case len(token) == 64 && strings.Trim(token, hex) == "":
		return "DISCORD_TOKEN holds the application's public key"
	case strings.ContainsAny(token, " \t\r\n\"'"):
		return "DISCORD_TOKEN holds spaces or quotation marks, which no token has"
	}
	return ""
}

// failing words an error of Discord's.
func (d *Discord) failing(part string, err error) bot.Finding {
	f := bot.Finding{Part: part, State: bot.Wrong}
	wait, limited := errors.AsType[bot.Wait](err)
	_, answered := errors.AsType[*refusal](err)
	switch {
	case errors.Is(err, errToken):
		f.What, f.Cure = "Discord doesn't know it (401)", whereToken
	case limited:
		f.State, f.What, f.Cure = bot.Doubtful, fmt.Sprintf("Discord asks to wait %v", wait.For), "try again then"
	case answered:
		f.What, f.Cure = err.Error(), "try again; if it stays, see https://discordstatus.com"
	default:
		f.What = "Discord can't be asked: " + err.Error()
		f.Cure = "let this machine reach " + d.rest.base + " (network, proxy, DISCORD_API_URL)"
	}
	return f
}

func (d *Discord) checkCommands(ctx context.Context, app profile) bot.Finding {
	f := bot.Finding{Part: "Discord commands", State: bot.Fine, What: "registered"}
	var known []command
	path := "/applications/" + app.ID + "/commands?with_localizations=true"
	if err := d.rest.do(ctx, request{method: "GET", path: path, bucket: "commands"}, &known); err != nil {
		return d.failing(f.Part, err)
	}
	switch {
	case len(known) == 0:
		f.State, f.What, f.Cure = bot.Absent, "none is registered yet", "precedent serve registers them when it starts"
	case !same(known, commands()):
		f.State, f.What, f.Cure = bot.Doubtful, "registered, but not these: they are another version's or another program's", "precedent serve replaces them when it starts"
	}
	return f
}

// checkIntents looks whether the bot may ask for what it will. Only the contents
// of messages need a switch.
func (d *Discord) checkIntents(app profile) bot.Finding {
	may := app.Flags&(mayReadContent|mayReadContentSmall) != 0
	const page = "on the application's page at " + portal + ", Bot, Privileged Gateway Intents, switch Message Content Intent on"
	switch f := (bot.Finding{Part: "Discord intents", State: bot.Fine}); {
	case d.Content && !may:
		f.State, f.What = bot.Wrong, "--discord-content asks for the contents of messages, and the application may not have them"
		f.Cure = page + " and save, or leave --discord-content out"
		return f
	case d.Content:
		f.What = "the contents of messages too: follow-ups may come without a mention"
		return f
	default:
		f.What = "none that needs a switch: follow-ups come by mention or command"
		return f
	}
}

// checkGateway waits for the gateway's first word.
func (d *Discord) checkGateway(ctx context.Context) bot.Finding {
	f := bot.Finding{Part: "Discord gateway", State: bot.Fine, What: "says hello"}
	var gate struct {
		URL    string `json:"url"`
		Logins struct {
			Remaining int   `json:"remaining"`
			Reset     int64 `json:"reset_after"` // ms
		} `json:"session_start_limit"`
	}
	if err := d.rest.do(ctx, request{method: "GET", path: "/gateway/bot", bucket: "gateway/bot"}, &gate); err != nil {
		return d.failing(f.Part, err)
	}
	if err := d.hello(ctx, gate.URL); err != nil {
		f.State, f.What = bot.Wrong, "it doesn't say hello: "+err.Error()
		f.Cure = "let this machine open websockets to " + cmp.Or(gate.URL, "Discord's gateway") + " (network, proxy)"
		return f
	}
	if gate.Logins.Remaining < fewLogins {
		f.State, f.What = bot.Doubtful, fmt.Sprintf("Discord lets the bot in %d more times in the next %v", gate.Logins.Remaining, time.Duration(gate.Logins.Reset)*time.Millisecond)
		f.Cure = "find out what starts it over and over"
	}
	return f
}

// hello returns when the gateway at address has said so.
func (d *Discord) hello(ctx context.Context, address string) error {
	dialer := websocket.Dialer{HandshakeTimeout: dialTime, Proxy: http.ProxyFromEnvironment, NetDialContext: d.reach}
	socket, answer, err := dialer.DialContext(ctx, strings.TrimSuffix(address, "/")+"/?v=10&encoding=json", nil)
	if err != nil {
		if broken, ok := errors.AsType[*url.Error](err); ok {
			err = broken.Err
		}
		if answer != nil {
			return fmt.Errorf("it answers %s", answer.Status)
		}
		return err
	}
	defer socket.Close()
	if err := socket.SetReadDeadline(time.Now().Add(dialTime)); err != nil {
		return err
	}
	_, text, err := socket.ReadMessage()
	if err != nil {
		return closed(err)
	}
	var said struct{ Op int }
	if json.Unmarshal(text, &said) != nil || said.Op != opHello {
		return errors.New("it says something else")
	}
	return nil
}

// checkGuilds looks where the bot is and what it may do there.
func (d *Discord) checkGuilds(ctx context.Context, app profile) bot.Finding {
	f := bot.Finding{Part: "Discord servers", State: bot.Fine}
	invite := "open " + Invite(app.ID)
	var guilds []struct {
		Name        string `json:"name"`
		Permissions string `json:"permissions"`
	}
	err := d.rest.do(ctx, request{method: "GET", path: fmt.Sprintf("/users/@me/guilds?limit=%d", mostGuilds), bucket: "users/@me/guilds"}, &guilds)
	if err != nil {
		return d.failing(f.Part, err)
	}
	if len(guilds) == 0 {
		f.State, f.What, f.Cure = bot.Wrong, "the bot is in none, so nobody can ask it", invite+" and add it to yours"
		if app.CodeGrant {
			f.Cure = "on the application's page at " + portal + ", Bot, switch Requires OAuth2 Code Grant off; then " + f.Cure
		}
		return f
	}
	var names, lacking []string
	for _, g := range guilds {
		names = append(names, g.Name)
		if l := lacks(g.Permissions); len(l) > 0 {
			lacking = append(lacking, g.Name+" ("+strings.Join(l, ", ")+")")
		}
	}
	f.What = fmt.Sprintf("in %d: %s", len(guilds), strings.Join(names[:min(len(names), 5)], ", "))
	f.Cure = "to add it to another, " + invite
	if len(lacking) > 0 {
		f.State, f.What = bot.Doubtful, "it may not do all that it should in "+strings.Join(lacking[:min(len(lacking), 5)], "; ")
		f.Cure = "give its role these permissions, or " + invite + " once more"
	}
	return f
}

// lacks names the permissions that the bot needs and doesn't have in a guild;
// channels may say otherwise.
func lacks(permissions string) []string {
	has, err := strconv.ParseInt(permissions, 10, 64)
	if err != nil || has&administrator != 0 {
		return nil
	}
	var out []string
	for _, n := range needs {
		if has&n.bit == 0 {
			out = append(out, n.name)
		}
	}
	return out
}
