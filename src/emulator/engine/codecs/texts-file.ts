/** The name of the file of {@link textsFile}, and how it is read as the second input whose texts the made file gets. */
export const textsName = 'texts.ini';

export const fromTexts: readonly string[] = ['-f', 'ffmetadata', '-i', textsName];

/** Texts of a file in the format of ffmpeg's metadata, whose values have no limit as those of an argument have. */
export const textsFile = (texts: Readonly<Record<string, string>>): Uint8Array =>
  Buffer.from(
    `;FFMETADATA1\n${Object.entries(texts)
      .map(([key, value]) => `${escaped(key)}=${escaped(value)}\n`)
      .join('')}`,
  );

const escaped = (text: string): string => text.replace(/[\\=;#\n]/gu, (mark) => `\\${mark}`);
