import type { ConnectionFlags } from '../settings.js';
import { shellWord } from './shell-word.js';

/**
 * The options of a command that another one needs to reach the same service, as words of a shell, each with a blank before it. Variables
 * of the environment hold for that one as well. No secret is among them: of a key its file, of headers those of a file, of an address no
 * credentials.
 */
export const reachOf = ({ baseUrl, dialect, keyFile, header, allowClearText }: ConnectionFlags): string =>
  [
    ...(baseUrl === undefined ? [] : ['--base-url', baseUrl.replace(/^([a-z]+:\/\/)[^/]*@/iu, '$1')]),
    ...(dialect === undefined ? [] : ['--dialect', dialect]),
    ...(keyFile === undefined ? [] : ['--key-file', keyFile]),
    ...(header ?? []).flatMap((one) => (one.startsWith('@') ? ['--header', one] : [])),
    ...(allowClearText === true ? ['--allow-clear-text'] : []),
  ]
    .map((word) => ` ${shellWord(word)}`)
    .join('');
