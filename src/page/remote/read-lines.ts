import type { Clock } from '../../core/platform/platform.js';

/**
 * Reads a body line by line until its end, or until it is silent for `silenceMs`: a connection may be dead without an end. Lines without
 * text are signs of life.
 */
export const readLines = async (
  body: ReadableStream<Uint8Array> | null,
  {
    clock,
    silenceMs,
    line,
  }: { readonly clock: Clock; readonly silenceMs: number; readonly line: (text: string) => void },
): Promise<void> => {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const cancel = clock.after(silenceMs, () => void reader.cancel().catch(() => undefined), {
      background: true,
    });
    const chunk = await reader.read().finally(cancel);
    if (chunk.value === undefined) return;
    const lines = (rest + decoder.decode(chunk.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) if (text !== '') line(text);
  }
};
