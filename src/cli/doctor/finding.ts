import type { CliIo } from '../cli-io.js';
import type { Client } from '../../node.js';
import type { Settings } from '../settings.js';
import type { ExitName } from '../exit-code.js';

/** What the doctor says of one thing. */
export interface Finding {
  /** What was looked at, such as `dns`. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was found, in one line. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** A finding of the check that makes it. */
export type Found = Omit<Finding, 'check'>;

/** The settings, the address and the connections that checks share. */
export interface Patient {
  readonly io: Pick<CliIo, 'env'>;
  readonly settings: Settings;
  readonly url: URL;
  readonly stop: AbortSignal;
  readonly connect: () => Promise<Client>;
  /** How long anything may take that has to answer. */
  readonly patienceMs: number;
  readonly out: string;
  /** The origin of a page that is to call the service. */
  readonly origin: string | undefined;
  readonly redis: string | undefined;
}

/** One thing to look at. */
export interface Check {
  readonly name: string;
  /** The checks without which this one says nothing: where one of them failed, it is skipped. */
  readonly needs?: readonly string[];
  /** The exit code of the command where this is the first cause. */
  readonly exit: ExitName;
  /** Says what it found; a rejection is a failure. */
  readonly look: (patient: Patient) => Promise<Found>;
}

/** Nothing to do. */
export const ok = (message: string): Found => ({ status: 'ok', message });

/** Does not apply here. */
export const skipped = (message: string): Found => ({ status: 'skipped', message });

/** Works, and may not do so for long, or not as expected. */
export const warning = (message: string, fix: string): Found => ({
  status: 'warning',
  message,
  fix,
});

/** Does not work. */
export const failed = (message: string, fix: string): Found => ({
  status: 'failed',
  message,
  fix,
});
