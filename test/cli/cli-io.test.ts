import { describe, expect, it } from 'vitest';
import { EventEmitter } from 'node:events';
import { type HostProcess, processIo } from '../../src/cli/cli-io.js';
import { PassThrough } from 'node:stream';
import { textIn } from './helpers/text-in.js';

const shows = '\u001B[?25h';

/** A process that tells what was done to it; `exit` runs the exit listeners, as the real one does. */
const hostProcess = (isTTY: boolean) => {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 0, rows: 0 });
  const exits: number[] = [];
  const host = Object.assign(new EventEmitter(), {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    env: {},
    exit: (code: number) => {
      exits.push(code);
      host.emit('exit', code);
    },
  });
  return {
    host: host as unknown as HostProcess & EventEmitter,
    exits,
    written: () => textIn(stderr),
  };
};

describe('processIo', () => {
  it.each([
    ['SIGINT', 'SIGINT', 130],
    ['SIGINT', 'SIGTERM', 143],
    ['SIGTERM', 'SIGHUP', 129],
  ] as const)('J1: %s is passed on, %s after it exits at once with %i', (first, second, code) => {
    const { host, exits } = hostProcess(false);
    const seen: string[] = [];
    processIo(host).signals.subscribe((signal) => seen.push(signal));
    host.emit(first);
    expect([seen, exits]).toEqual([[first], []]);
    host.emit(second);
    expect(exits).toEqual([code]);
  });

  it('J8: gives the cursor back when the process exits, also at once by a second signal', () => {
    const { host, written } = hostProcess(true);
    processIo(host);
    host.emit('SIGINT');
    expect(written()).toBe('');
    host.emit('SIGINT');
    expect(written()).toBe(shows);
  });

  it('J8: writes no sequence where there is no terminal', () => {
    const { host, written } = hostProcess(false);
    processIo(host);
    host.exit(1);
    expect(written()).toBe('');
  });

  it('J5: survives a standard error that is gone', () => {
    const { host } = hostProcess(true);
    const { stdout, stderr } = processIo(host);
    for (const stream of [stdout, stderr]) {
      expect(() => stream.emit('error', new Error('write EPIPE'))).not.toThrow();
    }
  });

  it('takes a terminal that tells no size for one of 80 by 24', () => {
    const io = processIo(hostProcess(true).host);
    expect([io.isTTY, io.columns(), io.rows()]).toEqual([true, 80, 24]);
  });
});
