/** Saves a file as a download, and releases its address once the browser has it. */
export const saveFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  requestAnimationFrame(() => requestAnimationFrame(() => URL.revokeObjectURL(url)));
};
