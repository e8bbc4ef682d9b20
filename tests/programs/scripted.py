"""A fake engine for tests: it uses GTP or morris-text and gives scripted answers, whatever the game.

scripted.py gtp|morris-text [--refuse COMMAND] [--log FILE] ANSWER...

The answer to the n-th move request is the n-th ANSWER; crash, silent (never answers) and refuse are special. --log copies every input line to
the file.
"""

import argparse
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("protocol", choices=["gtp", "morris-text"])
parser.add_argument("--refuse")
parser.add_argument("--log")
parser.add_argument("answers", nargs="*")
options = parser.parse_intermixed_args()
gtp = options.protocol == "gtp"


def say(line):
    print(line + "\n" if gtp else line, flush=True)


answers = iter(options.answers)
print("welcome", flush=True)
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if options.log:
        with open(options.log, "a") as log:
            log.write(line)
    if command == options.refuse:
        say("? no" if gtp else "error no")
    elif command in ("genmove", "go"):
        answer = next(answers)
        if answer == "crash":
            print("out of cheese", file=sys.stderr, flush=True)
            sys.exit(3)
        if answer == "silent":
            time.sleep(1000)
        if answer == "refuse":
            say("? no" if gtp else "error no")
        elif gtp:
            say("= " + answer)
        else:
            say("info depth 3 score cp 5 nodes 70 time 1 pv " + answer + "\nbestmove " + answer)
    elif gtp:
        say("= Scripted")
    elif command == "morris":
        say("id name Scripted\nok")
    elif command == "ping":
        say("pong " + rest)
