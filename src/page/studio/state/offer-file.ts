import type { FormField } from '../../../workflow.js';
import { keyOf, type ShownField } from './shown-inputs.js';

/** A file that a field of the form may use. */
export interface OfferedFile {
  /** The field, by {@link keyOf}. */
  readonly key: string;
  readonly file: Blob;
  readonly name: string;
}

/** Names the first field of the form that takes files of this kind. */
export const fieldFor = (file: Blob, fields: readonly ShownField[] = []): string | undefined => {
  const field = fields.find(({ control, upload }) => control === 'file' && upload === kindOf(file));
  return field === undefined ? undefined : keyOf(field);
};

const kindOf = ({ type }: Blob): FormField['upload'] => {
  const [kind] = type.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : undefined;
};
