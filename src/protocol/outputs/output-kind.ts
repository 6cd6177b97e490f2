/** What a file is to a person. */
export type OutputKind = 'image' | 'video' | 'audio' | '3d' | 'text' | 'other';

/**
 * Sorts a media type, as `outputFiles` gives it, into what a program shows a person: `model/*` is `3d`, JSON is `text`.
 *
 * @example
 * ```ts
 * import { outputKind, type OutputFile } from 'promptwire';
 *
 * const isPlayable = ({ mediaType }: OutputFile): boolean => ['video', 'audio'].includes(outputKind(mediaType));
 * ```
 */
export const outputKind = (mediaType: string): OutputKind => {
  const [top = '', rest = ''] = mediaType.toLowerCase().split(';', 1).join().split('/');
  if (top === 'image' || top === 'video' || top === 'audio' || top === 'text') return top;
  if (top === 'model') return '3d';
  return rest === 'json' || rest.endsWith('+json') ? 'text' : 'other';
};
