import { expect, it } from 'vitest';
import { jobCommand, reachOf, withReach } from '../../../src/cli/report/reach.js';

it('the options that another command needs are those that lead to the same service', () => {
  expect(reachOf({})).toBe('');
  expect(
    reachOf({
      ...{
        baseUrl: 'https://me:secret@a.example/x',
        server: ['http://u@b:8188', 'c:8188'],
        servers: 'my servers.json',
      },
      ...{ dialect: 'local', keyFile: "it's", auth: 'bearer', workspace: 'w', allowClearText: true },
    }),
  ).toBe(
    " --base-url https://a.example/x --server http://b:8188 --server c:8188 --servers 'my servers.json' --dialect local" +
      " --key-file 'it'\\''s' --auth bearer --workspace w --allow-clear-text",
  );
  expect(reachOf({ allowClearText: false })).toBe('');
});

it('no header is among them but those of a file', () => {
  expect(reachOf({ header: ['Cookie: secret', '@headers.txt'] })).toBe(' --header @headers.txt');
});

it('an address keeps what is no password', () => {
  expect(reachOf({ baseUrl: 'https://a.example/@b' })).toBe(' --base-url https://a.example/@b');
});

it('commands in a message get the options once', () => {
  const reach = ' --dialect local';
  const with3 = (text: string) => withReach(text, reach);
  expect(with3('Run promptwire follow ID, or promptwire outputs ID.')).toBe(
    'Run promptwire follow ID --dialect local, or promptwire outputs ID --dialect local.',
  );
  for (const name of ['queue', 'cancel ID', 'validate FILE --fix'])
    expect(with3(`promptwire ${name}`)).toBe(`promptwire ${name}${reach}`);
  for (const text of [
    'promptwire queues',
    'promptwire queue-x',
    'promptwire run',
    `promptwire queue${reach}`,
  ])
    expect(with3(text)).toBe(text);
});

it('an id is a word of the shell, also where it begins like an option', () => {
  const idIn = (id: string) => jobCommand('outputs', id, ' -x').slice('promptwire outputs '.length);
  expect([idIn('a-1'), idIn('-a'), idIn('@a'), idIn("/a'b"), idIn('a b')]).toEqual([
    ...['a-1 -x', "'-a' -x", "'@a' -x", "'/a'\\''b' -x", "'a b' -x"],
  ]);
});
