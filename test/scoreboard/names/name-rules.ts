import { posix, win32 } from 'node:path';

/** What is wrong with a name that is to be made in a folder of ours; written from the rules of the systems alone. */
export const nameProblems = (name: string): readonly string[] => [
  ...(name === '' ? ['empty'] : []),
  ...(escapes(posix, '/out', name) ? ['escapes on POSIX'] : []),
  ...(escapes(win32, 'C:\\out', name) ? ['escapes on Windows'] : []),
  ...(devices.has(deviceOf(name)) ? ['opens a device'] : []),
  ...(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*]/u.test(name) ? ['holds a reserved character'] : []),
  ...(/\p{Bidi_Control}|[\u200b\u2028\u2029\ufeff]|\p{Surrogate}/u.test(name) ? ['hides text'] : []),
  ...(/[. ]$/u.test(name) ? ['loses its end on Windows'] : []),
  ...(/^[.\-~]/u.test(name) ? ['is hidden, an option or a home'] : []),
  // `.part` and `~99` still have to fit behind it.
  ...(Buffer.byteLength(name) > 255 - 8 || name.length > 255 - 8 ? ['too long'] : []),
];

/** The names under which file systems would find it, some of which know no case and some no composition. */
export const foundAs = (name: string): readonly string[] => [
  name,
  name.toLowerCase().normalize('NFC'),
  name.toUpperCase().normalize('NFD'),
  Array.from(name, (letter) => (letter.toUpperCase().length === 1 ? letter.toUpperCase() : letter)).join(''),
];

const escapes = (system: typeof posix, folder: string, name: string): boolean => {
  const path = system.resolve(folder, name);
  return system.dirname(path) !== folder || system.basename(path) !== name;
};

/** Windows opens a device for any name that has the device's before the first dot or colon, blanks aside. */
const deviceOf = (name: string): string => (name.split(/[.:]/u, 1)[0] ?? '').trim().toUpperCase();

const devices: ReadonlySet<string> = new Set([
  ...['CON', 'PRN', 'AUX', 'NUL', 'CLOCK$', 'CONIN$', 'CONOUT$'],
  ...Array.from('0123456789¹²³').flatMap((digit) => [`COM${digit}`, `LPT${digit}`]),
]);
