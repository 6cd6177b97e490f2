/** How ffmpeg opens an uploaded file: as one of these kinds, none of which names other files, and no address. */
export const openable: readonly string[] = [
  '-format_whitelist',
  'mov,mp4,matroska,webm,avi,flv,gif,mpeg,mpegts,ogg,mp3,flac,wav,aac,aiff',
  ...['-protocol_whitelist', 'file'],
];
