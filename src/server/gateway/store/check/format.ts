import { keyOf } from '../keys.js';
import type { Repairs } from './repairs.js';
import { readStored } from '../stored-value.js';
import { serviceError } from '../../../../core/errors/service-error.js';
import type { View } from '../view.js';

/** The format of the keys and values that docs/stores.md describes. */
const format = 1;

/** Marks an empty store with its format, and refuses one of another format. */
export const checkFormat = async (view: View, repairs: Repairs): Promise<void> => {
  const key = keyOf('format');
  const [text] = await view.texts([key]);
  const value = text === undefined ? undefined : readStored(key, text)?.value;
  if (value === format) return;
  if (typeof value === 'number') {
    throw serviceError('InvalidConfig', {
      option: 'folder',
      message: `The store has the format ${value}, and this version of promptwire reads the format ${format}.`,
      hint: 'Take the version of promptwire that wrote the store, or another folder.',
    });
  }
  const [any] = await view.page({ limit: 1 });
  if (any !== undefined) repairs.tell(`The entry ${key} was ${text === undefined ? 'missing' : 'damaged'}.`);
  await repairs.put(key, format);
};
