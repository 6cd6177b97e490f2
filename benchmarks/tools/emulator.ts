import type { Engine, Profile } from '../../src/emulator.js';
import { startChild } from './child.js';

/** An emulator in a process of its own, without delays or limits. */
export interface EmulatorProcess {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly apiKey: string;
  /** The key of another account, which hears nothing of the first one's jobs; a local server looks at no key. */
  readonly otherKey: string;
  readonly end: () => Promise<void>;
}

/** What a local server does in its own time, and which cloud or engine it is. */
export interface ServiceKind {
  /** The cloud as the interface's document has it (the default), or of a year. */
  readonly profile?: Profile;
  /** The release of the engine; default that of the emulator. */
  readonly engine?: Engine;
  /** Milliseconds by which its records trail the ends of their jobs; default 0. */
  readonly recordDelayMs?: number;
}

export const startEmulatorProcess = async (
  dialect: 'cloud' | 'local',
  kind: ServiceKind = {},
): Promise<EmulatorProcess> => {
  const child = startChild('emulator');
  const address = await child.ask<Omit<EmulatorProcess, 'end'>>({ dialect, ...kind });
  return { ...address, end: child.end };
};

/** A job without delay: its only output is a text. */
export const instantWorkflow = {
  1: { class_type: 'PreviewText', inputs: { source: 'a text' } },
};
