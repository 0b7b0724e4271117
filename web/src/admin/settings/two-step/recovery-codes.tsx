import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { copyText } from '../../../lib/copy-text.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts/toast.ts';

/** The ten recovery codes, each valid once without the app. Shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  const start = useRef<HTMLParagraphElement>(null);
  useEffect(() => start.current?.focus(), []);
  const copy = async () => {
    const done = await copyText(codes.join('\n'));
    toast(
      done
        ? { title: 'Recovery codes copied' }
        : {
            title: 'Could not copy the codes',
            description: 'Select the codes and copy them yourself.',
            variant: 'destructive',
          },
    );
  };
  return (
    <div className="grid gap-4">
      <p ref={start} tabIndex={-1} className="outline-none">
        Store these recovery codes in a safe place. Each works once, in place of a code from the
        app. They are not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="code grid gap-x-6 gap-y-1.5 rounded-lg bg-sunken px-4 py-3 select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button icon={<Copy />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="primary" onClick={onDone}>
          I have stored them
        </Button>
      </div>
    </div>
  );
}
