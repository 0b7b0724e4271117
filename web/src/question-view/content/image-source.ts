import { createContext } from 'react';

/** Where the server has the image with this hash. */
export function imageAddress(hash: string): string {
  return `/api/images/${hash}`;
}

/** Where images come from: an import's preview has its own. */
export const ImageSource = createContext<(hash: string) => string>(imageAddress);
