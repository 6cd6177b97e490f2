/** One tensor of 32-bit floats. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** What a safetensors file holds. */
export interface Tensors {
  readonly tensors: Readonly<Record<string, Tensor>>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Encodes tensors as a safetensors file. */
export const encodeSafetensors = ({ tensors, metadata }: Tensors): Uint8Array => {
  let end = 0;
  const described = Object.entries(tensors).map(([name, { shape, values }]) => {
    const offsets = [end, (end += values.byteLength)];
    return [name, { dtype: 'F32', shape, data_offsets: offsets }] as const;
  });
  const text = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(described) });
  const header = Buffer.from(text.padEnd(text.length + ((8 - (Buffer.byteLength(text) % 8)) % 8)), 'utf8');
  const length = Buffer.alloc(8);
  length.writeUInt32LE(header.length);
  const data = Object.values(tensors).map(({ values }) => {
    const bytes = Buffer.alloc(values.byteLength);
    values.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
    return bytes;
  });
  return Buffer.concat([length, header, ...data]);
};

/** Reads the tensors of 32-bit floats of a safetensors file; undefined for any other or a broken file. */
export const decodeSafetensors = (bytes: Uint8Array): Tensors | undefined => {
  try {
    const file = Buffer.from(bytes);
    const start = 8 + Number(file.readBigUInt64LE(0));
    const { __metadata__: metadata = {}, ...members } = JSON.parse(file.toString('utf8', 8, start)) as Header;
    const tensors = Object.entries(members).flatMap(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        if (dtype !== 'F32') return [];
        const values = Float32Array.from({ length: (to - from) / 4 }, (_, at) =>
          file.readFloatLE(start + from + at * 4),
        );
        return [[name, { shape, values }] as const];
      },
    );
    return { tensors: Object.fromEntries(tensors), metadata };
  } catch {
    return undefined;
  }
};

type Header = { readonly __metadata__?: Readonly<Record<string, string>> } & Readonly<
  Record<
    string,
    { readonly dtype: string; readonly shape: number[]; readonly data_offsets: [number, number] }
  >
>;
