#!/bin/sh
acme status
