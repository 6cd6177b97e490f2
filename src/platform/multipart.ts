import type { FormPart } from '../socket/platform.js';

/** A form as it is sent; `body` reads its files only as it is consumed. */
export interface Multipart {
  readonly contentType: string;
  readonly body: Blob;
}

/** Writes a form; `boundary` must stand in none of its parts, so it is made of randomness. */
export const multipart = (parts: readonly FormPart[], boundary: string): Multipart => {
  const pieces = parts.flatMap((part): BlobPart[] => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(part.name)}"`;
    return 'value' in part
      ? [`${head}\r\n\r\n${part.value.replace(/\r\n?|\n/gu, '\r\n')}\r\n`]
      : [
          `${head}; filename="${quoted(part.filename)}"\r\n`,
          `content-type: ${part.content.type || 'application/octet-stream'}\r\n\r\n`,
          part.content,
          '\r\n',
        ];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: new Blob([...pieces, `--${boundary}--\r\n`]),
  };
};

/** As browsers do it. */
const quoted = (name: string): string => name.replace(/\r\n?|\n/gu, '%0D%0A').replaceAll('"', '%22');
