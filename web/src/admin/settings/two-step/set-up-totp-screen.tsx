import { useState } from 'react';
import { useSession } from '../../../lib/person/session.tsx';
import { Mark } from '../../../ui/badges/mark.tsx';
import { Button } from '../../../ui/button.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpTotp } from './totp-set-up.tsx';

/** Replaces every page of the portal while this installation requires two-step sign-in. */
export function SetUpTotpScreen() {
  const { signOut, refresh } = useSession();
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <main className="grid min-h-dvh justify-items-center bg-surface px-5 py-8 md:place-items-center">
      <title>Two-step sign-in · Invigil</title>
      <div className="grid w-full max-w-110 content-start gap-5">
        <Mark withName />
        <div>
          <h1>{codes === null ? 'Set up two-step sign-in' : 'Two-step sign-in is on'}</h1>
          {codes === null && (
            <p className="mt-0.5 text-ink-2">
              This installation requires it of all administrators.
            </p>
          )}
        </div>
        {codes === null ? (
          <SetUpTotp
            onRecoveryCodes={setCodes}
            aside={<Button onClick={() => void signOut()}>Sign out</Button>}
          />
        ) : (
          <RecoveryCodes codes={codes} onDone={() => void refresh().catch(() => undefined)} />
        )}
      </div>
    </main>
  );
}
