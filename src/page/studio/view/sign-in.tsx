import { useState, type ReactElement } from 'react';
import type { Session } from '../state/session.js';
import { texts } from '../texts.js';
import { useValue } from './use-studio.js';

/** Asks for the token of a caller. */
const SignIn = ({ session }: { readonly session: Session }): ReactElement => {
  const [given, setGiven] = useState('');
  const wasRefused = useValue(session.token) !== undefined;
  const submit = (): void => {
    if (given.trim() !== '') session.signIn(given.trim());
  };
  return (
    <form
      className="card sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h2>{texts.signIn.title}</h2>
      <p>{texts.signIn.why}</p>
      <label>
        {texts.signIn.token}
        <input
          type="password"
          autoComplete="current-password"
          value={given}
          aria-invalid={wasRefused}
          aria-describedby={wasRefused ? 'refused' : undefined}
          onChange={({ target }) => setGiven(target.value)}
        />
      </label>
      {wasRefused && (
        <p id="refused" role="alert" className="error">
          {texts.signIn.refused}
        </p>
      )}
      <button type="submit" className="primary">
        {texts.signIn.submit}
      </button>
    </form>
  );
};

export default SignIn;
