// Package bot holds conversations: in the terminal, over HTTP, and on chat
// networks.
//
// It promises that a conversation gets one answer at a time, that every
// question has a deadline, that what people say to it is answered even when
// something broke, and that text from graphs, people and models can't steer
// the terminal it is shown on. It never decides what an answer is: that is
// package engine, reached through [Bot.Ask] and [Bot.Vote].
//
// Sentences that people read are in package words. Start reading at bot.go,
// then terminal.go and http.go; for chat networks, at chat.go and desk.go.
package bot
