export const kibibyte = 1024;
export const mebibyte = kibibyte ** 2;

/** The sizes of pictures that are measured, in bytes. */
export const sizes = [kibibyte, 32 * kibibyte, 512 * kibibyte, 4 * mebibyte, 16 * mebibyte] as const;

/** A size as people write it, e.g. `32 KiB`. */
export const sizeText = (bytes: number): string => {
  if (bytes < kibibyte) return `${bytes} B`;
  return bytes < mebibyte ? `${bytes / kibibyte} KiB` : `${bytes / mebibyte} MiB`;
};
