// Loads the SDK before `register` comes.
import '@anthropic-ai/sdk';
