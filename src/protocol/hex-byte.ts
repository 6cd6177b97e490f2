/** A byte as two digits. */
export const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');
