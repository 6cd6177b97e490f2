import type { IncomingMessage } from 'node:http';

/** Path and query of a request; what is no address at all counts as `/`. */
export const requestUrl = ({ url = '/' }: Pick<IncomingMessage, 'url'>): URL =>
  URL.canParse(url, ORIGIN) ? new URL(url, ORIGIN) : new URL(ORIGIN);

/** Nobody sees it: only path and query are read. */
const ORIGIN = 'http://emulator';
