import { type Json, objectOf } from '../values.js';

/** The names that the editor's file gives to the pack of a node: in the registry, and of its repository. */
export const namedPacks = (raw: Json): readonly string[] => {
  const { cnr_id: registered, aux_id: repository } = objectOf(raw['properties']);
  return [registered, repository].filter((name): name is string => typeof name === 'string' && name !== '');
};
