import type { ReactNode } from 'react';

/** Icons missing in lucide, in its style: 20 px, stroke 1.5. */
function Sign({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {children}
    </svg>
  );
}

/** A cloud with a check mark: saved on the server. */
export function SavedCloud({ className }: { className?: string }) {
  return (
    <Sign {...(className === undefined ? {} : { className })}>
      <path d="M6 15.2a3.5 3.5 0 0 1-.5-7 4.7 4.7 0 0 1 9-.2 3.6 3.6 0 0 1-.2 7.2z" />
      <path d="m7.9 11.2 1.7 1.7 2.7-3" />
    </Sign>
  );
}

/** No one in the viewfinder. */
export function FaceMissing() {
  return (
    <Sign>
      <path d="M3 6.6V4.8C3 3.8 3.8 3 4.8 3h1.8M13.4 3h1.8c1 0 1.8.8 1.8 1.8v1.8M17 13.4v1.8c0 1-.8 1.8-1.8 1.8h-1.8M6.6 17H4.8c-1 0-1.8-.8-1.8-1.8v-1.8" />
      <path d="m7.6 7.6 4.8 4.8M12.4 7.6l-4.8 4.8" />
    </Sign>
  );
}

/** A person in the viewfinder. */
export function FaceFrame() {
  return (
    <Sign>
      <path d="M3 6.6V4.8C3 3.8 3.8 3 4.8 3h1.8M13.4 3h1.8c1 0 1.8.8 1.8 1.8v1.8M17 13.4v1.8c0 1-.8 1.8-1.8 1.8h-1.8M6.6 17H4.8c-1 0-1.8-.8-1.8-1.8v-1.8" />
      <circle cx="10" cy="8.4" r="2.2" />
      <path d="M6.2 14c.4-1.8 1.8-2.8 3.8-2.8s3.4 1 3.8 2.8" />
    </Sign>
  );
}
