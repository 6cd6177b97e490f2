import type { Inputs } from './graph.js';
import { isList, type Latent } from '../engine/values.js';

/** The memory and the work of a node on the device that runs it. */
export interface NodeNeeds {
  /** The checkpoints that it works with. */
  readonly models: readonly string[];
  /** The pixels of the pictures that it works on with them. */
  readonly pixels: number;
}

/**
 * Waits until the device has what a node needs; rejects with a `NodeFailure` where it never will. `whileLoading` does the loading of each model
 * that takes time.
 */
export type ReserveDevice = (
  needs: NodeNeeds,
  signal: AbortSignal,
  whileLoading: (load: () => Promise<void>) => Promise<void>,
) => Promise<void>;

/** Reads from the inputs of a node what it needs of the device: nothing, where it works with no model. */
export const needsOf = (inputs: Inputs): NodeNeeds => {
  const values = Object.values(inputs).flatMap((value) => (isList(value) ? value.items : [value]));
  const named = inputs['ckpt_name'];
  const models = new Set([...(typeof named === 'string' ? [named] : []), ...values.flatMap(checkpointOf)]);
  const pixels = values.filter(isLatent).reduce((all, latent) => all + pixelsOf(latent), 0);
  return { models: [...models], pixels: models.size === 0 ? 0 : pixels };
};

const checkpointOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && 'checkpoint' in value && typeof value.checkpoint === 'string'
    ? [value.checkpoint]
    : [];

const isLatent = (value: unknown): value is Latent =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'LATENT';

const pixelsOf = ({ width, height, samples }: Latent): number => width * height * samples.length;
