import { createClient, type JobPhase, type Workflow } from 'promptwire';
import { eventMessageCodec, type workflowCodec } from 'promptwire/codecs';
import { type Emulator, type Fault, startEmulator } from 'promptwire/emulator';
import { type PhaseTimeline, phaseTimeline, scriptedService } from 'promptwire/testing';
import { type Conversion, type Problem, toApiWorkflow, validateWorkflow } from 'promptwire/workflow';
import type { Equal, Expect } from './equal.js';

/** A client takes an emulator and a scripted service as they are, and their values fit the other entries. */
export const emulated = async (): Promise<Emulator['ledger']> => {
  const emulator = await startEmulator();
  await createClient(emulator).close();
  return emulator.ledger;
};

export const timeline = (workflow: Workflow): PhaseTimeline => {
  const service = scriptedService({ faults: [{ kind: 'dropped socket', atMs: 5 }], dialect: 'local' });
  return phaseTimeline(createClient(service).run(workflow), service.clock);
};

export const checked = ({ workflow = {} }: Conversion): readonly Problem[] => validateWorkflow(workflow, {});

export const converted = () => {
  const { workflow } = toApiWorkflow({ nodes: [] }, {});
  return workflow === undefined ? undefined : createClient({ baseUrl: '' }).run(workflow);
};

export const decoded = (message: unknown): number | null | undefined =>
  eventMessageCodec.is(message) && message.type === 'progress' ? message.data.value : undefined;

export type Fits = [
  Expect<Equal<PhaseTimeline['phases'], readonly JobPhase[]>>,
  Expect<(typeof workflowCodec)['_A'] extends Workflow ? true : false>,
];

export const refused: readonly (() => unknown)[] = [
  // @ts-expect-error -- there is no such fault
  () => scriptedService({ faults: [{ kind: 'meteor' }] }),
  (): Fault => ({
    on: 'socket',
    // @ts-expect-error -- there is no such fault
    do: 'melt',
  }),
  // @ts-expect-error -- a problem names what kind it is
  (): Problem => ({ severity: 'error', message: '' }),
];
