import { createContext } from 'react';

/** The server's address of the image with this hash. */
export function imageAddress(hash: string): string {
  return `/api/images/${hash}`;
}

/** The function from an image's hash to its address: an import's preview has its own. */
export const ImageSource = createContext<(hash: string) => string>(imageAddress);
