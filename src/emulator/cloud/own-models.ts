import type { Switches } from '../switches.js';

/** The checkpoints that the account has imported. */
export const ownModels = ({ userModels }: Pick<Switches, 'userModels'>): readonly string[] =>
  userModels ? ['imports/night-sky.safetensors'] : [];
