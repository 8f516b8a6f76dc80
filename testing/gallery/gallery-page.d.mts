export function galleryPage(files: readonly string[]): string;
