#!/usr/bin/env node
// Writes what the program is made of into a file, as CycloneDX 1.5: .ci/sbom FILE. That is the crates that are
// linked and the npm packages that are drawn into the interface, each with version, licence and checksum from the
// lock files. The same sources write the same file.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = resolve(process.argv[2] ?? 'schoolhouse.cdx.json');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const epoch = process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();

// It leaves its file beside Cargo.toml, and is nowhere told to leave it elsewhere.
const name = 'schoolhouse-crates';
const triple = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`;
const wanted = ['--format', 'json', '--spec-version', '1.5', '--target', triple, '--no-build-deps', '-qq'];
execFileSync('target/tools/bin/cargo-cyclonedx', ['cyclonedx', ...wanted, '--override-filename', name], {
  env: { ...process.env, SOURCE_DATE_EPOCH: epoch },
  stdio: 'inherit',
});
// The folder of this checkout is private, and differs between machines.
const text = readFileSync(`${name}.json`, 'utf8').replaceAll(`path+file://${root}#`, 'pkg:cargo/');
rmSync(`${name}.json`);
const bill = JSON.parse(text);

const packages = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', '--loglevel', 'error'];
const ui = JSON.parse(execFileSync('npm', packages, { cwd: 'ui', encoding: 'utf8', maxBuffer: 1 << 26 }));
const interfaceOf = { ...ui.metadata.component, name: 'schoolhouse-ui' };

bill.metadata.tools.push(...ui.metadata.tools);
bill.components.push(interfaceOf, ...ui.components);
bill.dependencies.push(...ui.dependencies);
bill.dependencies.find(({ ref }) => ref === bill.metadata.component['bom-ref']).dependsOn.push(interfaceOf['bom-ref']);
bill.components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
bill.dependencies.sort((a, b) => (a.ref < b.ref ? -1 : 1));

// Its number is that of its content (RFC 9562, version 8): no other file has it.
const hash = createHash('sha256').update(JSON.stringify(bill)).digest('hex');
bill.serialNumber = `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
writeFileSync(file, `${JSON.stringify(bill, null, 1)}\n`);
console.log(`${bill.components.length} components are listed in ${file}`);
