const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A human-readable size: `512 bytes`, `9.4 MiB`, `120 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
