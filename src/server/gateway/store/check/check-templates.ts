import { below } from '../keys.js';
import { compareValue, type Repairs, valuesOf } from './repairs.js';
import {
  noTemplates,
  type StoredTemplate,
  sumOf,
  templateBodyKey,
  templateTotalKey,
} from '../template-store.js';
import type { TemplateBody } from '../../../joblog/template-store.js';
import type { View } from '../view.js';

/**
 * Checks the tables of templates, whose totals follow from them. With `all` it reads their workflows as well: a template that lost a part is
 * gone.
 */
export const checkTemplates = async (view: View, repairs: Repairs, all: boolean): Promise<void> => {
  const bodies = all ? await readBodies(view, repairs) : undefined;
  const whole: StoredTemplate[] = [];
  for await (const [key, stored] of valuesOf<StoredTemplate>(view, repairs, below('template'))) {
    const { owner, name } = stored.head;
    if (bodies === undefined || bodies.delete(templateBodyKey(owner, name))) whole.push(stored);
    else await drop(repairs, key);
  }
  for (const key of bodies ?? []) await drop(repairs, key);
  await compareValue(view, repairs, templateTotalKey, sumOf(whole), noTemplates);
};

/** The keys of the workflows that can be read. */
const readBodies = async (view: View, repairs: Repairs): Promise<Set<string>> => {
  const keys = new Set<string>();
  for await (const [key] of valuesOf<TemplateBody>(view, repairs, below('template-body'))) keys.add(key);
  return keys;
};

const drop = async (repairs: Repairs, key: string): Promise<void> => {
  repairs.tell(`The entry ${key} has lost the other part of its template.`);
  await repairs.remove(key);
};
