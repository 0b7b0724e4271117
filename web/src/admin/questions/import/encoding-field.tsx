import type { Encoding } from '@invigil/core/domain/text-encoding';
import { ENCODING_OPTIONS, isEncoding } from '../../../lib/decode-file.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';

/** The encoding of a text file: what it was read as, and the choice of another one. */
export function EncodingField({
  encoding,
  disabled = false,
  onChange,
}: {
  encoding: Encoding;
  disabled?: boolean;
  onChange(encoding: Encoding): void;
}) {
  return (
    <SelectField
      label="Text encoding"
      hint={
        /^utf-/.test(encoding)
          ? 'Found in the file.'
          : 'The likeliest one or your choice. If letters with accents look wrong, select another.'
      }
      size="dense"
      options={ENCODING_OPTIONS}
      value={encoding}
      disabled={disabled}
      onChange={(value) => isEncoding(value) && onChange(value)}
    />
  );
}
