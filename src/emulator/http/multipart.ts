/** One part of a `multipart/form-data` body. */
export interface FormPart {
  readonly name: string;
  /** Set for a file. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** A view of the body. */
  readonly bytes: Buffer;
}

/**
 * Reads the parts of a form in their order, without copying them; undefined for a body that is no such form.
 */
export const readMultipart = (body: Buffer, contentType: string): readonly FormPart[] | undefined => {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/iu.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  // The first delimiter may begin the body.
  let at = body.indexOf(delimiter.subarray(2));
  if (at !== 0 && at !== body.indexOf(delimiter) + 2) return undefined;
  at += delimiter.length - 2;
  for (;;) {
    if (body.subarray(at, at + 2).toString('latin1') === '--') return parts;
    const start = body.indexOf('\r\n', at);
    const headersEnd = start < 0 ? -1 : body.indexOf('\r\n\r\n', start);
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, headersEnd + 2);
    if (end < 0) return undefined;
    const part = readPart(
      body.subarray(start, headersEnd).toString('utf8'),
      body.subarray(headersEnd + 4, end),
    );
    if (!part) return undefined;
    parts.push(part);
    at = end + delimiter.length;
  }
};

const readPart = (headers: string, bytes: Buffer): FormPart | undefined => {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/imu.exec(headers)?.[1];
  const name = parameter(disposition, 'name');
  if (name === undefined) return undefined;
  const contentType = /^content-type:\s*(.+?)\s*$/imu.exec(headers)?.[1];
  return { name, filename: parameter(disposition, 'filename'), contentType, bytes };
};

/** A quoted parameter; browsers write quotes in it as `%22`. */
const parameter = (disposition: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|[;\\s])${name}="((?:[^"\\\\]|\\\\.)*)"`, 'iu')
    .exec(disposition ?? '')?.[1]
    ?.replace(/%22/gu, '"');
