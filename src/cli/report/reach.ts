import type { ConnectionFlags } from '../settings.js';
import type { ServerFlags } from '../input/server-flags.js';
import { shellWord } from './shell-word.js';

/**
 * The options of a command that another one needs to reach the same service, as words of a shell, each with a blank before it. Variables
 * of the environment hold for that one as well. No secret is among them: of a key its file, of headers those of a file, of an address no
 * credentials.
 */
export const reachOf = ({
  baseUrl,
  server,
  servers,
  dialect,
  keyFile,
  header,
  auth,
  workspace,
  allowClearText,
}: ConnectionFlags & ServerFlags): string =>
  [
    ...(baseUrl === undefined ? [] : ['--base-url', withoutCredentials(baseUrl)]),
    ...(server ?? []).flatMap((url) => ['--server', withoutCredentials(url)]),
    ...(servers === undefined ? [] : ['--servers', servers]),
    ...(dialect === undefined ? [] : ['--dialect', dialect]),
    ...(keyFile === undefined ? [] : ['--key-file', keyFile]),
    ...(header ?? []).flatMap((one) => (one.startsWith('@') ? ['--header', one] : [])),
    ...(auth === undefined ? [] : ['--auth', auth]),
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(allowClearText === true ? ['--allow-clear-text'] : []),
  ]
    .map((word) => ` ${shellWord(word)}`)
    .join('');

const withoutCredentials = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/]*@/iu, '$1');

/** The commands in messages of library and command that go on with a job or a workflow. */
const others = /\bpromptwire (?:queue|(?:follow|outputs|cancel) ID|validate FILE --fix)(?![\w-])/gu;

/** A message whose commands have these options, once. */
export const withReach = (text: string, reach: string): string =>
  text.replaceAll(others, (command, at: number) =>
    text.startsWith(reach, at + command.length) ? command : `${command}${reach}`,
  );

/** The shell command that does this with a job. */
export const jobCommand = (what: 'follow' | 'outputs' | 'cancel', promptId: string, reach: string): string =>
  `promptwire ${what} ${idWord(promptId)}${reach}`;

/** An id that begins like an option is in quotes. */
const idWord = (id: string): string =>
  /^[-/@]/u.test(id) ? `'${id.replaceAll("'", `'\\''`)}'` : shellWord(id);
