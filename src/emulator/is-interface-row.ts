import { interfaceRows } from './interface-rows.js';
import type { InterfaceRow } from './options.js';

/** Whether a word names a row that can be switched off. */
export const isInterfaceRow = (word: string): word is InterfaceRow => rows.has(word);

const rows: ReadonlySet<string> = new Set(interfaceRows);
