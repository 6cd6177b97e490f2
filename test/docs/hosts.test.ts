import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/entries.mjs';

const pages = [
  'README.md',
  'AGENTS.md',
  'template/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|tsx?|vue|svelte|py|mjs)$/u.test(name))
    .filter((name) => !name.endsWith('.api.md') && name !== 'decisions.md')
    .map((name) => join('docs', name)),
];

/** Hosts that only the reader can name: an app, a place for files and a proxy of theirs. */
const ofReaders = ['app.example', 'files.example', 'proxy.example'];

/** Hosts that answer nobody: names that are reserved for documentation (RFC 2606). */
const madeUp = (text: string): readonly string[] =>
  [...text.matchAll(/\b[\w.-]*\bexample(?:\.(?:com|net|org))?(?=[/:\s"'`|,)]|$)/gmu)]
    .map(([host]) => host)
    .filter((host) => host.includes('.') && !ofReaders.includes(host));

it.each(pages)('%s names services that there are: an engine on this machine, or an account', (page) => {
  expect(madeUp(readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

it.each([
  ['export PROMPTWIRE_BASE_URL=https://example.com # the service', ['example.com']],
  ['such as `https://service.example`.', ['service.example']],
  ['api.example.org:8443', ['api.example.org']],
  ['for example, http://127.0.0.1:8188 and https://app.example/done', []],
])('a made-up host is found in %s', (text, hosts) => {
  expect(madeUp(text)).toEqual(hosts);
});
