import type { CliEvent } from './cli-event.js';
import { count } from '../terminal/format.js';
import type { Dialect } from '../../node.js';
import type { Line } from '../terminal/line.js';

/** What was found in the folder of a gateway. */
export const checkedText = ({
  folder,
  problems,
  repaired,
}: Extract<CliEvent, { kind: 'checked' }>): string => {
  if (problems === 0) return `${folder} is whole`;
  const found = `${folder} has ${count(problems, 'problem')}`;
  return repaired ? `${found}, repaired` : `${found}: --repair makes of it what can be read`;
};

/** A request that a gateway has answered. */
export const requestText = ({
  method,
  path,
  status,
  ms,
  caller = '-',
}: Extract<CliEvent, { kind: 'request' }>): string => `${method} ${path} ${status} ${ms} ms ${caller}`;

/** The lines that point other commands at an emulator. */
export const emulatorLines = (event: Extract<CliEvent, { kind: 'emulator' }>): readonly Line[] => [
  [`export PROMPTWIRE_BASE_URL=${event.baseUrl}`],
  ...(event.wsUrl === undefined ? [] : [[`export PROMPTWIRE_WS_URL=${event.wsUrl}`]]),
  ...dialectLines[event.dialect],
  ...(event.apiKey === undefined ? [] : [[`export PROMPTWIRE_API_KEY=${event.apiKey}`]]),
];

const dialectLines: Readonly<Record<Dialect, readonly Line[]>> = {
  cloud: [],
  local: [['export PROMPTWIRE_DIALECT=local']],
  v2: [['export PROMPTWIRE_DIALECT=v2']],
};
