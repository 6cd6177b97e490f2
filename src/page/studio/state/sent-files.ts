import type { AssetInput } from '../../../index.js';
import { valueText } from './value-text.js';

/** Whether an input has a file that was sent to the gateway, by its reference. */
export const isSentFile = (value: unknown): value is AssetInput =>
  typeof value === 'object' && value !== null && (value as Partial<AssetInput>).__type === 'core/ASSET';

/** What a person calls the file of an input. */
export const fileName = (value: unknown): string =>
  isSentFile(value) ? (value.info.file_path ?? value.info.id) : valueText(value);
