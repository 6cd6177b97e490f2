import { connect, type Socket } from 'node:net';
import type { Emulator, EmulatorOptions, Fault } from '../../../src/emulator.js';
import { call, listen, open, quick, submit, type Data, type Listener } from '../support.js';

/** An emulator without delays in which these faults happen. */
export const faulty = (faults: readonly Fault[], options: EmulatorOptions = {}): Promise<Emulator> =>
  open({ ...options, faults });

/** Runs a small job while listening; resolves when the emulator says that it has ended. */
export const heardOf = async (
  emulator: Emulator,
  prompt: unknown = quick,
): Promise<{ readonly promptId: string; readonly listener: Listener }> => {
  const listener = await listen(emulator);
  const promptId = await submit(emulator, prompt);
  await over(emulator, promptId);
  await settle(listener);
  return { promptId, listener };
};

/** Waits until the ledger says that a job has ended. */
export const over = async (emulator: Emulator, promptId: string): Promise<void> => {
  while (!isOver(emulator, promptId)) await new Promise((resolve) => setImmediate(resolve));
  // What is sent on the way out of the scheduler follows the last word in the same turn or the next.
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const isOver = ({ ledger }: Emulator, promptId: string): boolean =>
  ['completed', 'failed', 'cancelled', 'lost'].includes(
    ledger.jobs.find((job) => job.promptId === promptId)?.state ?? '',
  );

/** A ping and its answer: all messages sent before have arrived by then. */
export const settle = ({ socket }: Listener): Promise<void> =>
  new Promise((resolve) => {
    socket.once('pong', () => resolve());
    socket.ping();
  });

/** Resolves with the code once the socket is closed. */
export const closed = ({ socket }: Pick<Listener, 'socket'>): Promise<number> =>
  new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) resolve(1006);
    else socket.once('close', resolve);
  });

/** What triggered each fault, in order. */
export const strikes = (emulator: Emulator): readonly string[] =>
  emulator.ledger.faults.map(({ struck }) => struck);

/** A GET on a connection of its own, as it came: every chunk, and how the connection ended (`open`: not at all). */
export const raw = (
  emulator: Emulator,
  path: string,
  until: (bytes: Buffer) => boolean = () => false,
): Promise<{ readonly chunks: readonly Buffer[]; readonly text: string; readonly end: string }> =>
  new Promise((resolve) => {
    const { port } = new URL(emulator.baseUrl);
    const chunks: Buffer[] = [];
    const socket: Socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${emulator.apiKey}\r\n\r\n`),
    );
    const finish = (end: string): void => {
      socket.destroy();
      resolve({ chunks, text: Buffer.concat(chunks).toString('latin1'), end });
    };
    socket.setNoDelay();
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (until(Buffer.concat(chunks))) finish('open');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'));
    socket.once('end', () => finish('end'));
  });

/** The state of a job as the status endpoint has it. */
export const statusOf = async (emulator: Emulator, promptId: string): Promise<unknown> =>
  (await call(emulator, 'GET', `/api/job/${promptId}/status`)).body['status'];

/** The record of a job. */
export const historyOf = async (emulator: Emulator, promptId: string): Promise<Data> =>
  (await call(emulator, 'GET', `/api/history_v2/${promptId}`)).body;
